/** Settings of a transaction, which policies and triggers read. */
import pg from 'pg';

/** Quotes a setting. Almost no setting needs escaping, and the driver would check each character. */
const literal = (value: string): string => (/['\\]/.test(value) ? pg.escapeLiteral(value) : `'${value}'`);

/** Returns settings as statements, which injected text cannot send: requests may not call `set_config`. */
export const assign = (settings: Record<string, string | null | undefined>): string =>
  Object.entries(settings)
    .map(([name, value]) => `SET LOCAL suite.${name} = ${literal(value ?? '')}`)
    .join('; ');
