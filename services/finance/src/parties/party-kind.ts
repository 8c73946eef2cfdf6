/** customer | vendor: the word in the names of tables and columns. */
export type PartyKind = 'customer' | 'vendor';
