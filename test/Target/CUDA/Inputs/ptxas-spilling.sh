#!/bin/sh
# A ptxas whose verdicts are known: kernels of as many threads as one of $SPILLS
# says spill $BYTES, or as many bytes as their threads, kernels of $SERIALISES threads have
# products that wait for each other. Writes no machine code that could be run.
if [ "$1" = --version ]; then
  echo 'Cuda compilation tools, release 13.0, V13.0.88'
  exit 0
fi
name=$(sed -n 's/^\.visible \.entry \([A-Za-z0-9_$]*\)(.*/\1/p' "$4")
threads=$(sed -n 's/^\.reqntid \([0-9]*\).*/\1/p' "$4")
[ -n "$ATTEMPTS" ] && echo "$name $threads" >>"$ATTEMPTS"
spilled=0
for spilling in $SPILLS; do
  [ "$threads" = "$spilling" ] && spilled=${BYTES:-$threads}
done
if [ "$threads" = "$SERIALISES" ]; then
  echo "ptxas info    : (C7513) Potential Performance Loss: wgmma.mma_async instructions are serialized due to non wgmma instructions in the function '$name'"
fi
cat <<SAID
ptxas info    : Compiling entry function '$name' for 'sm_90a'
ptxas info    : Function properties for $name
    0 bytes stack frame, $spilled bytes spill stores, $spilled bytes spill loads
ptxas info    : Used 168 registers, used 16 barriers
SAID
echo "no machine code" >"$6"
