/** The largest number of 64 bits with a sign, which PostgreSQL's type `bigint` has. As a sort key, it comes after all prices and row numbers. */
export const LARGEST_BIGINT = 2n ** 63n - 1n;
