import { dirname, join } from 'node:path/posix';
import {
  violationAt,
  file,
  imports,
  isForTests,
  isScript,
  type Rule,
  type SourceFile,
  type Violation,
} from '../rule.ts';

const MAX_FOLDERS = 12;

/** Folders that connect the areas with the outside. They may import every area. */
const WIRING = new Set(['rpc', 'consumers', 'demo', 'cli']);

const AREA = /^services\/([^/]+)\/src\/([^/]+)\//;

/** The areas of each service, lowest first, from `areas` in its `package.json`. */
function areasOf(sources: readonly SourceFile[]): Map<string, readonly string[]> {
  const manifests = sources.filter(({ path }) => /^services\/[^/]+\/package\.json$/.test(path));
  return new Map(manifests.map(({ path, text }) => [path.split('/')[1] ?? '', JSON.parse(text).areas ?? []]));
}

function undeclared(code: readonly SourceFile[], areas: ReadonlyMap<string, readonly string[]>): Violation[] {
  const folders = Map.groupBy(code, ({ path }) => AREA.exec(path)?.[0]);
  folders.delete(undefined);
  return [...folders.keys()].flatMap((folder = '') => {
    const [, service = '', area = ''] = AREA.exec(folder) ?? [];
    return WIRING.has(area) || areas.get(service)?.includes(area)
      ? []
      : [
          {
            path: folder,
            message: `add ${area} to "areas" in services/${service}/package.json, or move it into an area`,
          },
        ];
  });
}

function upwards(source: SourceFile, areas: ReadonlyMap<string, readonly string[]>): Violation[] {
  const [, service = '', area = ''] = AREA.exec(source.path) ?? [];
  const order = areas.get(service) ?? [];
  if (!order.includes(area)) return [];
  return imports(source).flatMap(({ node, specifier }) => {
    const [, , target = area] = AREA.exec(join(dirname(source.path), specifier)) ?? [];
    const isLower = target === 'generated' || target === area || order.slice(0, order.indexOf(area)).includes(target);
    return isLower
      ? []
      : [
          violationAt(
            source,
            node,
            `${area} imports ${target}, which is not below it: move the shared part into a lower area`,
          ),
        ];
  });
}

const manifest = file('services/crm/package.json', '{ "areas": ["pipeline", "leads"] }');

const direction: Rule = {
  name: 'areas of a service import only lower areas',
  check: (sources) => {
    const areas = areasOf(sources);
    const code = sources.filter(({ path }) => isScript(path) && !isForTests(path));
    return [...undeclared(code, areas), ...code.flatMap((source) => upwards(source, areas))];
  },
  broken: [
    [manifest, file('services/crm/src/pipeline/board/board.ts', "import { lead } from '../../leads/lead.ts';\n")],
    [manifest, file('services/crm/src/leads/lead.ts', "import { methods } from '../rpc/methods.ts';\n")],
    [manifest, file('services/crm/src/widgets/widget.ts', 'export {};\n')],
  ],
};

const folders: Rule = {
  name: `a folder of a service has at most ${MAX_FOLDERS} folders`,
  check: (sources) => {
    const inside = new Map<string, Set<string>>();
    for (const { path } of sources) {
      if (!/^services\/[^/]+\/src\//.test(path)) continue;
      const parts = path.split('/');
      for (let depth = 3; depth < parts.length - 1; depth += 1) {
        const parent = parts.slice(0, depth).join('/');
        inside.set(parent, (inside.get(parent) ?? new Set()).add(parts[depth] ?? ''));
      }
    }
    return [...inside]
      .filter(([, names]) => names.size > MAX_FOLDERS)
      .map(([path, names]) => ({
        path,
        message: `${names.size} folders: group them into areas named by the business`,
      }));
  },
  broken: [
    Array.from({ length: MAX_FOLDERS + 1 }, (_, index) =>
      file(`services/hr/src/noun-${index}/noun.ts`, 'export {};\n'),
    ),
    Array.from({ length: MAX_FOLDERS + 1 }, (_, index) =>
      file(`services/hr/src/payroll/noun-${index}/noun.ts`, 'export {};\n'),
    ),
  ],
};

/** Areas of the services: few folders per folder, and imports in one direction. */
export const areas: Rule[] = [direction, folders];
