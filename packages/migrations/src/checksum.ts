import { createHash } from 'node:crypto';

/** SHA-256 of a text, as Prisma records it for a migration. */
export const checksum = (text: string): string => createHash('sha256').update(text).digest('hex');
