"""Text in the pictures of matplotlib."""

from __future__ import annotations

from matplotlib.figure import Figure


def words_of(figure: Figure) -> str:
    figure.canvas.draw()
    return "\n".join(text.get_text() for text in figure.findobj(lambda a: hasattr(a, "get_text")))
