"""What happens around a table? Seats, names, results, and the table as a file."""
