/** The two databases of the bare stack, accessed by Prisma: pooled, with prepared statements. */
import { PrismaPg } from '@prisma/adapter-pg';
import { childSettings } from '../../bench/load/child-process.ts';
import { PrismaClient } from './generated/client.ts';

export interface Settings {
  /** The database of the customers, the leads, the invoices and the journal. */
  database_url: string;
  /** The database of the products and the stock. */
  stock_database_url: string;
}

/** The number of connections that a service of the suite opens for requests. */
const CONNECTIONS = 8;

const names = new Map<string, string>();

/** Returns a name for each statement text, so that PostgreSQL parses it once per connection. */
function statementName({ sql }: { sql: string }): string {
  const name = names.get(sql) ?? `statement_${names.size}`;
  names.set(sql, name);
  return name;
}

const clientOf = (connectionString: string): PrismaClient =>
  new PrismaClient({
    adapter: new PrismaPg({ connectionString, max: CONNECTIONS }, { statementNameGenerator: statementName }),
  });

const { database_url, stock_database_url } = childSettings<Settings>();
export const main = clientOf(database_url);
export const stock = clientOf(stock_database_url);
