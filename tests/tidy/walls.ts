import { dirname, join } from 'node:path/posix';
import { violationAt, baseName, file, imports, perFile, type Rule } from './rule.ts';

const packages = new Set([
  'chassis',
  'proto',
  'testing',
  'money',
  'document-lines',
  'numbering',
  'bounded-work',
  'time-zones',
  'mail-queue',
  'saga',
  'field-encryption',
  'user-copies',
  'charts',
  'images',
  'outbound-http',
  'pdf',
  'mail',
  'demo',
  'auditor',
  'local',
  'gateway',
  'tests',
  'tools',
]);

const serviceOf = (path: string): string | undefined => /^services\/([^/]+)\//.exec(path)?.[1];

/** Returns the service that an import leads to, by a relative path or by its package's name. */
function importedService(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return serviceOf(join(dirname(path), specifier));
  const name = /^@suite\/([^/]+)/.exec(specifier)?.[1];
  return name && !packages.has(name) ? name : undefined;
}

const services = perFile(
  'a service imports no other service',
  (path) => serviceOf(path) !== undefined && path.endsWith('.ts'),
  (source) =>
    imports(source)
      .map(({ node, specifier }) => ({ node, name: importedService(source.path, specifier) }))
      .filter(({ name }) => name !== undefined && name !== serviceOf(source.path))
      .map(({ node, name }) =>
        violationAt(source, node, `${name} is another team's: call rpc.${name} in \`prepare\`, or consume its events`),
      ),
  [
    file('services/crm/src/leads/lead.ts', "import { user } from '../../../platform/src/users/user.ts';\n"),
    file('services/crm/src/leads/lead.ts', "export { user } from '@suite/platform';\n"),
  ],
);

const DATABASE = /\/generated\/|(^|\/)operations\.ts$|^@prisma\/|^pg$|\.(api|rpc)\.ts$/;

const schemas = perFile(
  'a .schema.ts and a .rules.ts import neither the database nor operations',
  (path) => /\.(schema|rules)\.ts$/.test(path),
  (source) =>
    imports(source)
      .filter(({ specifier }) => DATABASE.test(specifier))
      .map(({ node }) =>
        violationAt(
          source,
          node,
          'schemas and pure decisions need no database: queries belong in <noun>.ts or <noun>.view.ts',
        ),
      ),
  [
    file('services/crm/src/leads/lead.schema.ts', "import type { Lead } from '../generated/client.ts';\n"),
    file('services/crm/src/leads/lead.schema.ts', "import type { Db } from '../operations.ts';\n"),
    file('services/crm/src/leads/lead.schema.ts', "import { list } from './leads.api.ts';\n"),
    file('services/crm/src/leads/lead.rules.ts', "import type { Db } from '../operations.ts';\n"),
  ],
);

const isRule = (path: string): boolean =>
  /^(services\/[^/]+|packages\/example-service)\/src\/[^/]+\/[a-z0-9-]+(\.(rules|view))?\.ts$/.test(path);
const isTool = (path: string): boolean => /\/src\/(cli|seed)\//.test(path);

const rules = perFile(
  'a <noun>.ts, .rules.ts or .view.ts imports no .api.ts',
  (path) => isRule(path) && !isTool(path),
  (source) =>
    imports(source)
      .filter(({ specifier }) => specifier.endsWith('.api.ts'))
      .map(({ node }) =>
        violationAt(
          source,
          node,
          `operations use rules, never the reverse: move what ${baseName(source.path)} needs into a rule`,
        ),
      ),
  [
    file('services/crm/src/deals/deal.ts', "import { show } from '../leads/leads.api.ts';\n"),
    file('services/crm/src/deals/deal.view.ts', "import { show } from '../leads/leads.api.ts';\n"),
  ],
);

/** Import boundaries between our own parts. .dependency-cruiser.mjs has the same boundaries for npm packages. */
export const walls: Rule[] = [services, schemas, rules];
