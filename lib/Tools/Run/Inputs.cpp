//===- Inputs.cpp - Inputs that mean something ---------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills arguments in the order in which they depend on each other: segments,
// lengths, ids, then everything else.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Inputs.h"
#include "attn/Tools/Run/Npy.h"
#include "attn/Tools/Run/Random.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::attn::run;

llvm::Expected<Plant> Plant::parse(StringRef text) {
  Plant plant;
  auto [place, value] = text.split('=');
  auto [argument, index] = place.split(':');
  plant.argument = argument.trim().str();
  SmallVector<StringRef> parts;
  if (!index.empty())
    index.split(parts, 'x');
  bool good = !plant.argument.empty() && !value.getAsDouble(plant.value);
  for (StringRef part : parts) {
    plant.index.emplace_back();
    good &= !part.getAsInteger(10, plant.index.back());
  }
  if (!good)
    return llvm::createStringError("'" + text +
                                   "' expected ARGUMENT:INDEX=VALUE, as in "
                                   "k:0x0x5x3=nan");
  return plant;
}

std::optional<std::vector<Segment>>
mlir::attn::run::getSegments(const AttentionSite &site,
                             ArrayRef<HostTensor> inputs) {
  auto tensor = [&](Role role) -> const HostTensor * {
    std::optional<unsigned> argument = site.get(role);
    return argument ? &inputs[*argument] : nullptr;
  };
  const HostTensor *q = tensor(Role::Query), *k = tensor(Role::Key);
  if (!q || !k)
    return std::nullopt;
  int64_t axis = site.packed ? 0 : 2;
  int64_t lengthQ = q->getShape()[axis], lengthKv = k->getShape()[axis];
  std::vector<Segment> segments;
  if (site.packed) {
    const HostTensor *cuQ = tensor(Role::CuSeqlensQ);
    const HostTensor *cuKv = tensor(Role::CuSeqlensKv);
    if (!cuQ || !cuKv)
      return std::nullopt;
    // Entries within the memory, none below the one before.
    auto bounds = [](const HostTensor *cu, int64_t length) {
      std::vector<int64_t> result;
      int64_t least = 0;
      for (int64_t n = 0; n < cu->getShape()[0]; ++n) {
        least = std::clamp<int64_t>(cu->get({n}), least, length);
        result.push_back(least);
      }
      return result;
    };
    std::vector<int64_t> boundsQ = bounds(cuQ, lengthQ),
                         boundsKv = bounds(cuKv, lengthKv);
    for (size_t b = 0; b + 1 < std::min(boundsQ.size(), boundsKv.size()); ++b)
      segments.push_back(
          {boundsQ[b], boundsQ[b + 1], boundsKv[b], boundsKv[b + 1]});
  } else {
    segments.assign(q->getShape()[0], {0, lengthQ, 0, lengthKv});
  }
  const HostTensor *usedQ = tensor(Role::SequsedQ);
  const HostTensor *usedKv = tensor(Role::SequsedKv);
  auto shorten = [](const HostTensor *used, int64_t b, int64_t begin,
                    int64_t &end) {
    if (used)
      end = std::clamp<int64_t>(begin + used->get({b}), begin,
                                std::max(begin, end));
  };
  for (auto [b, segment] : llvm::enumerate(segments)) {
    shorten(usedQ, b, segment.beginQ, segment.endQ);
    shorten(usedKv, b, segment.beginKv, segment.endKv);
  }
  return segments;
}

namespace {
class InputMaker {
public:
  InputMaker(const Signature &signature, ArrayRef<int64_t> symbols,
             const InputOptions &options)
      : signature(signature), symbols(symbols), options(options) {}

  llvm::Expected<std::vector<HostTensor>> make() {
    if (llvm::Error error = checkNames())
      return error;
    for (const ArgumentInfo &info : signature.arguments) {
      llvm::Expected<HostTensor> tensor =
          HostTensor::create(info.type, getShape(info.extents, symbols),
                             options.layouts.lookup(info.name));
      if (!tensor)
        return llvm::createStringError("argument '" + info.name + "': " +
                                       llvm::toString(tensor.takeError()));
      inputs.push_back(std::move(*tensor));
    }
    for (auto [n, info] : llvm::enumerate(signature.arguments))
      if (options.files.count(info.name))
        if (llvm::Error error = fillFromFile(n))
          return error;
    // What the rest depends on comes first, with what is planted there: it
    // decides which rows exist.
    SmallVector<Role> steps[] = {
        {Role::CuSeqlensQ, Role::CuSeqlensKv},
        {Role::SequsedQ, Role::SequsedKv, Role::Prefix},
        {Role::QueryIds, Role::KeyIds},
        {Role::Query, Role::Key, Role::Value, Role::Sinks, Role::Capture,
         Role::Other}};
    for (ArrayRef<Role> roles : ArrayRef(steps).drop_back()) {
      fillRoles(roles);
      if (llvm::Error error = plantRoles(roles))
        return error;
    }
    fillRoles(std::end(steps)[-1]);
    for (const AttentionSite &site : signature.sites)
      for (Role role : {Role::Query, Role::Key, Role::Value})
        if (std::optional<unsigned> argument = site.get(role))
          uses.push_back(*argument);
    for (const AttentionSite &site : signature.sites)
      poisonUnusedRows(site);
    // In rows that do not count, too: after the poison.
    if (llvm::Error error = plantRoles(std::end(steps)[-1]))
      return error;
    return std::move(inputs);
  }

private:
  llvm::Error checkNames() const {
    SmallVector<StringRef> unknown;
    for (StringRef name :
         llvm::concat<const StringRef>(llvm::to_vector(options.layouts.keys()),
                                       llvm::to_vector(options.files.keys())))
      if (!signature.findArgument(name))
        unknown.push_back(name);
    for (const Plant &plant : options.plants)
      if (!signature.findArgument(plant.argument))
        unknown.push_back(plant.argument);
    std::vector<std::string> faults;
    for (const auto &[name, layout] : options.layouts)
      if (const ArgumentInfo *info = signature.findArgument(name);
          info && info->isScalar && layout != Layout::Dense)
        faults.push_back("argument '" + info->name +
                         "' is a scalar, which is passed by value: expected no "
                         "layout, got '" +
                         getName(layout).str() + "'");
    if (unknown.empty())
      return faults.empty() ? llvm::Error::success()
                            : llvm::createStringError(llvm::join(faults, "\n"));
    auto names = llvm::map_range(signature.arguments,
                                 [](const ArgumentInfo &a) { return a.name; });
    faults.push_back("function '" + signature.function + "' has no argument '" +
                     llvm::join(unknown, "', '") + "'; it has " +
                     llvm::join(names, ", "));
    return llvm::createStringError(llvm::join(faults, "\n"));
  }

  llvm::Error fillFromFile(unsigned argument) const {
    StringRef name = signature.arguments[argument].name;
    std::string path = options.files.lookup(name);
    auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
    std::string text =
        file ? llvm::toString(readNpy((*file)->getBuffer(), inputs[argument]))
             : file.getError().message();
    if (text.empty())
      return llvm::Error::success();
    return llvm::createStringError("argument '" + name + "': " + path + ": " +
                                   text);
  }

  void fillRoles(ArrayRef<Role> roles) const {
    for (auto [n, info] : llvm::enumerate(signature.arguments))
      if (llvm::is_contained(roles, info.role) &&
          !options.files.count(info.name))
        fill(n);
  }

  llvm::Error plantRoles(ArrayRef<Role> roles) const {
    for (const Plant &plant : options.plants)
      if (llvm::is_contained(roles,
                             signature.findArgument(plant.argument)->role))
        if (llvm::Error error = apply(plant))
          return error;
    return llvm::Error::success();
  }

  void fill(unsigned argument) const {
    const ArgumentInfo &info = signature.arguments[argument];
    const HostTensor &tensor = inputs[argument];
    RandomStream random(options.seed, info.name);
    switch (info.role) {
    case Role::CuSeqlensQ:
    case Role::CuSeqlensKv:
      return fillCuSeqlens(info, tensor);
    case Role::SequsedQ:
    case Role::SequsedKv:
    case Role::Prefix:
      return fillLengths(info, tensor, random);
    case Role::QueryIds:
    case Role::KeyIds:
      return fillDocuments(info, tensor, random);
    default:
      break;
    }
    double amplitude = info.role == Role::Query ? options.amplitude : 1.0;
    tensor.forEach([&](ArrayRef<int64_t>, std::byte *address) {
      double value = isFloat(info.type) ? amplitude * random.nextNormal()
                     : info.type == ElementType::I1
                         ? static_cast<double>(random.nextInteger(0, 1))
                         : static_cast<double>(random.nextInteger(0, 7));
      store(info.type, address, value);
    });
  }

  const HostTensor *getTensor(const AttentionSite &site, Role role) const {
    std::optional<unsigned> argument = site.get(role);
    return argument ? &inputs[*argument] : nullptr;
  }

  /// Cuts the packed rows into segments; a quarter of the cuts repeat the one
  /// before them, which makes an empty segment. Queries and keys of equal total
  /// are cut alike.
  void fillCuSeqlens(const ArgumentInfo &info, const HostTensor &tensor) const {
    const AttentionSite &site = signature.sites[*info.site];
    const HostTensor *q = getTensor(site, Role::Query);
    const HostTensor *k = getTensor(site, Role::Key);
    const HostTensor *rows = info.role == Role::CuSeqlensQ ? q : k;
    int64_t total = rows ? rows->getShape()[0] : 0;
    bool alike = q && k && q->getShape()[0] == k->getShape()[0];
    RandomStream random(options.seed, alike ? "cu_seqlens" : info.name);
    int64_t batches = tensor.getShape()[0] - 1;
    std::vector<int64_t> cuts;
    for (int64_t b = 1; b < batches; ++b) {
      bool repeat = random.nextInteger(0, 3) == 0 && !cuts.empty();
      int64_t cut = random.nextInteger(0, total);
      cuts.push_back(repeat ? cuts.back() : cut);
    }
    llvm::sort(cuts);
    cuts.insert(cuts.begin(), 0);
    cuts.push_back(total);
    // Without any segment the only entry is 0.
    for (int64_t n = 0; n <= batches; ++n)
      tensor.set({n}, static_cast<double>(cuts[n]));
  }

  /// Lengths from 0 to that of the segment, both ends included.
  void fillLengths(const ArgumentInfo &info, const HostTensor &tensor,
                   RandomStream &random) const {
    AttentionSite site = signature.sites[*info.site];
    for (Role role : {Role::SequsedQ, Role::SequsedKv})
      site.arguments[static_cast<unsigned>(role)].reset();
    std::vector<Segment> segments =
        getSegments(site, inputs).value_or(std::vector<Segment>());
    for (int64_t b = 0; b < tensor.getShape()[0]; ++b) {
      int64_t length = 0;
      if (b < static_cast<int64_t>(segments.size())) {
        const Segment &s = segments[b];
        length = info.role == Role::SequsedQ ? s.endQ - s.beginQ
                                             : s.endKv - s.beginKv;
      }
      tensor.set({b}, static_cast<double>(
                          random.nextInteger(0, std::max<int64_t>(length, 0))));
    }
  }

  /// One id per row. A query gets the id of the key at its position, so that
  /// every document has both.
  void fillDocuments(const ArgumentInfo &info, const HostTensor &tensor,
                     RandomStream &random) const {
    const AttentionSite &site = signature.sites[*info.site];
    bool queries = info.role == Role::QueryIds;
    if (options.documents == Documents::Shuffled) {
      tensor.forEach([&](ArrayRef<int64_t>, std::byte *address) {
        store(info.type, address,
              static_cast<double>(random.nextInteger(-1, 3)));
      });
      return;
    }
    int64_t length = tensor.getShape()[1];
    for (int64_t row = 0; row < tensor.getShape()[0]; ++row)
      for (int64_t n = 0; n < length; ++n)
        tensor.set({row, n}, 0);
    // Rows outside every segment keep id 0: nothing reads them.
    std::vector<Segment> segments =
        getSegments(site, inputs).value_or(std::vector<Segment>());
    for (auto [b, segment] : llvm::enumerate(segments)) {
      int64_t row = site.packed ? 0 : b;
      int64_t rows = segment.endQ - segment.beginQ;
      int64_t keys = segment.endKv - segment.beginKv;
      std::vector<int64_t> ids = makeDocuments(b, keys);
      int64_t shift = site.topLeft ? 0 : keys - rows;
      for (int64_t n = 0, e = queries ? rows : keys; n < e; ++n) {
        int64_t position = queries ? n + shift : n;
        int64_t id =
            ids.empty() ? 0
                        : ids[std::clamp<int64_t>(position, 0, ids.size() - 1)];
        tensor.set({row, (queries ? segment.beginQ : segment.beginKv) + n},
                   static_cast<double>(id));
      }
    }
  }

  /// Ids of `length` keys of batch `b`: runs of random lengths.
  std::vector<int64_t> makeDocuments(int64_t b, int64_t length) const {
    RandomStream random(options.seed, "documents/" + std::to_string(b));
    std::vector<int64_t> ids;
    int64_t longest = std::max<int64_t>(length / 2, 1);
    for (int64_t id = 0; static_cast<int64_t>(ids.size()) < length; ++id) {
      int64_t run = std::min<int64_t>(random.nextInteger(1, longest),
                                      length - ids.size());
      ids.insert(ids.end(), run, id);
    }
    return ids;
  }

  /// Poisons the rows of generated q, k and v that no segment uses.
  void poisonUnusedRows(const AttentionSite &site) const {
    std::optional<std::vector<Segment>> segments = getSegments(site, inputs);
    if (!segments)
      return;
    poisonRows(site, Role::Query, *segments);
    poisonRows(site, Role::Key, *segments);
    poisonRows(site, Role::Value, *segments);
  }

  void poisonRows(const AttentionSite &site, Role role,
                  ArrayRef<Segment> segments) const {
    std::optional<unsigned> argument = site.get(role);
    if (!argument || options.files.count(signature.arguments[*argument].name))
      return;
    // A tensor that is read twice may be used in different parts.
    if (llvm::count_if(uses, [&](unsigned use) { return use == *argument; }) >
        1)
      return;
    const HostTensor &tensor = inputs[*argument];
    // Rows of a broadcast tensor are shared between batches or segments.
    if (tensor.getLayout() == Layout::BroadcastBatch)
      return;
    auto contains = [&](const Segment &segment, int64_t row) {
      return role == Role::Query
                 ? row >= segment.beginQ && row < segment.endQ
                 : row >= segment.beginKv && row < segment.endKv;
    };
    std::vector<bool> used;
    if (site.packed) {
      used.resize(tensor.getShape()[0], false);
      for (const Segment &segment : segments)
        for (size_t row = 0; row < used.size(); ++row)
          used[row] = used[row] || contains(segment, row);
    }
    tensor.forEach([&](ArrayRef<int64_t> index, std::byte *address) {
      bool isUsed =
          site.packed ? used[index[0]] : contains(segments[index[0]], index[2]);
      if (!isUsed)
        tensor.poison(address);
    });
  }

  llvm::Error apply(const Plant &plant) const {
    const ArgumentInfo *info = signature.findArgument(plant.argument);
    const HostTensor &tensor = inputs[info - signature.arguments.data()];
    bool inside = plant.index.size() == tensor.getShape().size();
    if (inside)
      for (auto [n, extent] : llvm::zip_equal(plant.index, tensor.getShape()))
        inside &= n >= 0 && n < extent;
    if (!inside)
      return llvm::createStringError(
          "planted element '" + formatShape(plant.index) + "' of argument '" +
          plant.argument + "' expected to lie in shape " +
          formatShape(tensor.getShape()));
    tensor.set(plant.index, plant.value);
    return llvm::Error::success();
  }

  const Signature &signature;
  ArrayRef<int64_t> symbols;
  const InputOptions &options;
  std::vector<HostTensor> inputs;
  /// The argument behind every query, key and value operand.
  SmallVector<unsigned> uses;
};
} // namespace

llvm::Expected<std::vector<HostTensor>>
mlir::attn::run::makeInputs(const Signature &signature,
                            ArrayRef<int64_t> symbols,
                            const InputOptions &options) {
  return InputMaker(signature, symbols, options).make();
}
