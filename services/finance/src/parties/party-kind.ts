/** customer | vendor: part of the names of tables and columns. */
export type PartyKind = 'customer' | 'vendor';
