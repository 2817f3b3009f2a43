"""What can people do at a table, around its matches? They join, sit, invite others, and take the table along."""
