"""The sample company: an invented retailer whose data, knowledge and questions are the same for everyone on a day."""
