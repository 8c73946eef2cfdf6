import { numbering } from '@suite/numbering';

/** Returns the next ticket number, T-000001: a single series without gaps. */
export const nextNumber = numbering({ ticket: { prefix: 'T', yearly: false, digits: 6 } });
