import { numbering } from '@suite/numbering';

/** T-000001: one series for ever, without a gap. */
export const nextNumber = numbering({ ticket: { prefix: 'T', yearly: false, digits: 6 } });
