"""The command that shows how much is kept of hands, and forgets it."""

from handread.cli.declared import option
from handread.cli.groups import spread
from handread.cli.help import examples
from handread.lazy import lazily

with lazily():
    import handread.report.words as words
    import handread.sessions.store as store
    from handread.cli import console


@spread
@examples(("how much is kept, and where", "handread kept"), ("delete it", "handread kept --forget"))
def kept(*, forget: bool = option("Delete it: logs are then read anew.", default=False)) -> None:
    """Show how much is kept of the hands that were read, or forget it.

    All commands keep what they read of a hand in the user's cache, so that no hand is read twice.
    Stars, tags, notes and the results of training are kept elsewhere, and stay.
    """
    used, files = store.user_store().path, store.store_files()
    lines = []
    for file in files:
        made = "this version" if file == used else "another version"
        lines.append(f"{store.size_of([file]) / 1e6:8.1f} MB  {made}: {words.visible(str(file))}\n")
    size = store.forget() if forget else store.size_of(files)
    console.emit("".join([f"{size / 1e6:8.1f} MB {'forgotten' if forget else 'kept'}\n", *lines]))
