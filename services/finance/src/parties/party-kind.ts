/** customer | vendor: part of the names of tables and columns. */
export type PartyKind = 'customer' | 'vendor';

/** Finds documents by the code and the name of their customer or vendor, the texts that documents show. */
export const searchedParty = {
  customer: { customer_id: { table: 'customers', texts: ['code', 'name'] } },
  vendor: { vendor_id: { table: 'vendors', texts: ['code', 'name'] } },
} as const;
