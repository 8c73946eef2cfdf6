/** Public exports of the examples: the documented examples of every operation, and their factories. */
import { whiteLabel, whiteLabelCalls } from './platform/white-label.ts';
import { partnerCalls, partners } from './platform/partners.ts';
import { widgetCalls, widgets } from './crm/widgets.ts';
import {
  openRecorder,
  type Endpoint,
  type ExampleCall,
  type ExampleRecorder,
  type RecorderOptions,
} from './recorder/recorder.ts';
import { books } from './finance/books.ts';
import { bookCalls } from './finance/books-calls.ts';
import { company, companyCalls } from './hr/company.ts';
import { customerCalls, customers } from './crm/customers.ts';
import { knowledge, knowledgeCalls } from './support/knowledge.ts';
import { mail, mailCalls } from './support/mail.ts';
import { pay, payCalls } from './hr/pay.ts';
import { paying, payingCalls } from './hr/paying.ts';
import { salaries, salaryCalls } from './hr/salaries.ts';
import { noticeCalls, notices } from './hr/notices.ts';
import { integrationCalls, integrations } from './platform/integrations.ts';
import { numberCalls, numbers } from './platform/numbers.ts';
import { people, peopleCalls } from './platform/people.ts';
import { projectCalls, projects } from './projects/projects.ts';
import { slaTargetCalls, slaTargets } from './support/sla-targets.ts';
import { selling, sellingCalls } from './crm/selling.ts';
import { leave, leaveCalls } from './hr/leave.ts';
import { staff, staffCalls } from './hr/staff.ts';
import { staffFileCalls, staffFiles } from './hr/staff-files.ts';
import { staffRecordCalls, staffRecords } from './hr/staff-records.ts';
import { desk, deskCalls } from './support/support.ts';
import { taskCalls, tasks } from './projects/tasks.ts';
import { time, timeCalls } from './projects/time.ts';
import { workdayCalls, workdays } from './hr/workdays.ts';

export { PICTURE } from './recorder/recorder.ts';
export { recordExamples } from './recorder/record.ts';
export type { ExampleRecorder, ExampleCall } from './recorder/recorder.ts';

const factories = {
  ...people,
  ...integrations,
  ...numbers,
  ...customers,
  ...selling,
  ...books,
  ...projects,
  ...tasks,
  ...desk,
  ...knowledge,
  ...slaTargets,
  ...mail,
  ...time,
  ...company,
  ...workdays,
  ...staff,
  ...leave,
  ...pay,
  ...paying,
  ...salaries,
  ...staffFiles,
  ...staffRecords,
  ...notices,
  ...widgets,
  ...partners,
  ...whiteLabel,
};
const calls = {
  ...peopleCalls,
  ...integrationCalls,
  ...numberCalls,
  ...customerCalls,
  ...sellingCalls,
  ...bookCalls,
  ...projectCalls,
  ...taskCalls,
  ...deskCalls,
  ...knowledgeCalls,
  ...slaTargetCalls,
  ...mailCalls,
  ...timeCalls,
  ...companyCalls,
  ...workdayCalls,
  ...staffCalls,
  ...leaveCalls,
  ...payCalls,
  ...payingCalls,
  ...salaryCalls,
  ...staffFileCalls,
  ...staffRecordCalls,
  ...noticeCalls,
  ...widgetCalls,
  ...partnerCalls,
  ...whiteLabelCalls,
};

/**
 * Opens a recorder with the examples of every operation. Lists return two records, so that the response stays readable.
 */
export function openExamples(options: Omit<RecorderOptions, 'factories' | 'calls'>): Promise<ExampleRecorder> {
  const lists = [...options.endpoints].filter(([, { isList }]) => isList);
  const known: Readonly<Record<string, ExampleCall>> = calls;
  const listed = lists.map(([id]) => [id, { ...known[id], query: { per_page: '2', ...known[id]?.query } }] as const);
  return openRecorder({ ...options, factories, calls: { ...calls, ...Object.fromEntries(listed) } });
}

interface Described {
  operationId: string;
  'x-kind': string;
  parameters?: { name?: string; $ref?: string }[];
  requestBody?: {
    content: Record<string, { schema: { properties?: Record<string, { format?: string; items?: object }> } }>;
  };
}

/** Returns true if any client can call an operation. Only the payment provider can create its signatures. */
export const isCallable = ({ operationId }: { operationId: string }): boolean => operationId !== 'callback.take';

/** Returns the operations of the published document, with the details needed to call them. */
export function endpointsOf(document: { paths: Record<string, Record<string, object>> }): Map<string, Endpoint> {
  const found = new Map<string, Endpoint>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, described] of Object.entries(methods)) {
      if (!isCallable(described as Described)) continue;
      const { operationId, 'x-kind': kind, parameters = [], requestBody } = described as Described;
      // An operation that accepts JSON and forms is documented with JSON.
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
