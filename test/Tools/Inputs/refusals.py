"""What calls from Python are refused with."""


def refuse(what, call):
    """Prints the exception of `call` behind `what`."""
    try:
        call()
        print(what, "passed")
    except Exception as error:
        print(what, type(error).__name__, error)
