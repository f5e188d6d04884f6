/** Removes the members of a row that are NULL, in place: in a report, what is not known is absent. */
export function withoutNulls<Row extends object>(row: Row): Row {
  for (const member in row) if (row[member] === null) Reflect.deleteProperty(row, member);
  return row;
}
