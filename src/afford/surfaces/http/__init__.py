"""The HTTP surface: queries by `GET`, actions by `POST`, problem documents for refusals."""
