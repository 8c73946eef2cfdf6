/** The environment of a process: clock, settings, log, public address. */
export { clock, today } from '../runtime/clock.ts';
export {
  address,
  PublicUrl,
  databaseSettings,
  type DatabaseSettings,
  deadline,
  readSettings,
  SECRET,
  serviceConfig,
} from '../runtime/config.ts';
export { absoluteUrl } from '../runtime/public-address.ts';
export type { Mailer } from '@suite/mail';
export type { Log } from '../runtime/log.ts';
export { orderedId } from '../runtime/ordered-id.ts';
export { PAGE_STYLE, pageHeaders } from '../runtime/page-headers.ts';
