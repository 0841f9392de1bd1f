"""The window of ``handread open``: a server on this machine, and the sessions that it shows."""
