/** Bills the first active project of the demo: a posted invoice contains its approved time. */
import { daysAgo, type DemoContext } from './demo-context.ts';

const INVOICED_BEFORE_DAYS = 3;

/** Bills the approved time of the oldest active project, if the plan includes projects and approved time exists. */
export async function billProject(context: DemoContext): Promise<void> {
  const { person, customers } = context;
  const path = '/api/projects?status=in_progress&sort=created_at&fields=id&per_page=1';
  const [project] = await person.get<{ id: string }[]>(path).catch(() => []);
  const approved = project && `/api/time-entries?project_id=${project.id}&status=approved&billable=true&per_page=1`;
  const entries = approved ? await person.get<object[]>(approved).catch(() => []) : [];
  if (!project || entries.length === 0) return;
  await person.post(`/api/project/update/${project.id}`, { customer_id: customers[0] });
  const { sales_invoice_id } = await person.post<{ sales_invoice_id: string }>(`/api/project/invoice/${project.id}`, {
    invoice_date: daysAgo(context, INVOICED_BEFORE_DAYS),
    group_by: 'member',
    description: 'For what we have worked on together.',
  });
  await person.post(`/api/sales-invoice/post/${sales_invoice_id}`);
}
