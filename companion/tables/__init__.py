"""What happens around a table: seats, names, results, and the table as a file."""
