"""Files of further formats as tables: of statistics programs, records, dumps, documents, logs and archives."""
