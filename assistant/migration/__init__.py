"""Old queries, workbooks and scripts taken over with a proof that they give the same result."""
