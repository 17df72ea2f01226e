"""Document files: PDF, Word, PowerPoint and web pages, read into pieces that can be searched and cited."""
