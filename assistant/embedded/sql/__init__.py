"""From a meaning to SQL in the source's dialect."""
