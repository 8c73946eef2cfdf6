/** The front door of the examples: what the documents show of every operation, and how it is made. */
import { openBench, type Bench, type Endpoint, type Options } from './bench.ts';
import { books } from './books.ts';
import { bookCalls } from './books-calls.ts';
import { company, companyCalls } from './company.ts';
import { customerCalls, customers } from './customers.ts';
import { knowledge, knowledgeCalls } from './knowledge.ts';
import { mail, mailCalls } from './mail.ts';
import { people, peopleCalls } from './people.ts';
import { projectCalls, projects } from './projects.ts';
import { promiseCalls, promises } from './promises.ts';
import { goods, goodsCalls } from './selling.ts';
import { staff, staffCalls } from './staff.ts';
import { desk, deskCalls } from './support.ts';
import { taskCalls, tasks } from './tasks.ts';
import { time, timeCalls } from './time.ts';
import { workdayCalls, workdays } from './workdays.ts';

export { record } from './record.ts';
export type { Bench, Call } from './bench.ts';

const recipes = {
  ...people,
  ...customers,
  ...goods,
  ...books,
  ...projects,
  ...tasks,
  ...desk,
  ...knowledge,
  ...promises,
  ...mail,
  ...time,
  ...company,
  ...workdays,
  ...staff,
};
const calls = {
  ...peopleCalls,
  ...customerCalls,
  ...goodsCalls,
  ...bookCalls,
  ...projectCalls,
  ...taskCalls,
  ...deskCalls,
  ...knowledgeCalls,
  ...promiseCalls,
  ...mailCalls,
  ...timeCalls,
  ...companyCalls,
  ...workdayCalls,
  ...staffCalls,
};

/** A bench that knows the examples of every operation. Lists are called for two records, so that an answer can be read. */
export function openExamples(options: Omit<Options, 'recipes' | 'calls'>): Promise<Bench> {
  const lists = [...options.endpoints].filter(([, { isList }]) => isList);
  const listed = lists.map(([id]) => [id, { ...calls[id as keyof typeof calls], query: { per_page: '2' } }] as const);
  return openBench({ ...options, recipes, calls: { ...calls, ...Object.fromEntries(listed) } });
}

interface Described {
  operationId: string;
  'x-kind': string;
  parameters?: { name?: string; $ref?: string }[];
  requestBody?: {
    content: Record<string, { schema: { properties?: Record<string, { format?: string; items?: object }> } }>;
  };
}

/** The operations of the published document, as far as they are needed to call them. */
export function endpointsOf(document: { paths: Record<string, Record<string, object>> }): Map<string, Endpoint> {
  const found = new Map<string, Endpoint>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, described] of Object.entries(methods)) {
      const { operationId, 'x-kind': kind, parameters = [], requestBody } = described as Described;
      // An operation that takes JSON and forms is shown with JSON.
      const content = requestBody?.content ?? {};
      const form = content['application/json'] ? {} : (content['multipart/form-data']?.schema.properties ?? {});
      const [upload] = Object.entries(form).find(([, { format, items }]) => format === 'binary' || items) ?? [];
      const isList = parameters.some(({ $ref, name }) => name === 'per_page' || $ref?.endsWith('/PerPage'));
      const message = Object.keys(content).find((type) => type.startsWith('message/'));
      found.set(operationId, { method: method.toUpperCase(), path, kind, upload, message, isList });
    }
  }
  return found;
}
