"""Build the documentation as a site: ``python -m docs.site -o FOLDER``."""
