"""Hand types, htpds of holdings, and names of holdings."""
