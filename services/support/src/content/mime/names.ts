/** Names for attachments without a name. */
import type { MimePart } from './parts.ts';

const NAMES: Readonly<Record<string, string>> = {
  'text/calendar': 'invite.ics',
  'text/html': 'message.html',
  'text/vcard': 'contact.vcf',
  'text/x-vcard': 'contact.vcf',
  'text/directory': 'contact.vcf',
  'text/rfc822-headers': 'headers.txt',
  'message/rfc822': 'message.eml',
  'message/global': 'message.eml',
  'message/delivery-status': 'delivery-status.txt',
  'application/ms-tnef': 'winmail.dat',
  'application/pgp-signature': 'signature.asc',
  'application/pgp-encrypted': 'encrypted.asc',
  'application/pkcs7-signature': 'smime.p7s',
  'application/pkcs7-mime': 'smime.p7m',
};

/** Returns the name of an attachment. Defaults to a name by file type. */
export const partName = ({ name, type }: Pick<MimePart, 'name' | 'type'>): string => {
  if (name) return name;
  const [family = '', kind = ''] = type.split('/');
  const isPlain = /^[a-z0-9]{1,10}$/.test(kind) && ['image', 'audio', 'video'].includes(family);
  return NAMES[type] ?? (isPlain ? `${family}.${kind}` : 'attachment');
};
