"""What is found out by a computation that follows a query: trend, forecast, drivers, differences, and more."""
