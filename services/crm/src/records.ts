/** Types of records whose history users can read. */
import { recordTypes } from '@suite/chassis/service';
import { Deal } from './deals/deal.schema.ts';
import { Widget } from './forms/widgets/widget.schema.ts';
import { Lead } from './leads/lead.schema.ts';
import { Label } from './pipeline/labels/label.schema.ts';
import { Pipeline } from './pipeline/pipelines/pipeline.schema.ts';
import { Source } from './pipeline/sources/source.schema.ts';
import { DealStage, LeadStage } from './pipeline/stages/stage.schema.ts';
import { Meeting } from './sales/meetings/meeting.schema.ts';
import { Opportunity } from './sales/opportunities/opportunity.schema.ts';
import { SalesOrder } from './sales/orders/sales-order.schema.ts';
import { Proposal } from './sales/proposals/proposal.schema.ts';
import { Quote } from './sales/quotes/quote.schema.ts';
import { Call } from './activities/calls/call.schema.ts';
import { Discussion } from './activities/discussions/discussion.schema.ts';
import { EmailMessage } from './activities/emails/email.schema.ts';
import { File } from './activities/files/file.schema.ts';
import { Task } from './activities/tasks/task.schema.ts';

/** Parts of leads and deals are visible with their record. */
const OF_RECORDS = { permissions: ['lead.view', 'deal.view'], module: 'crm' };

export const records = recordTypes('crm', {
  lead: { table: 'leads', schema: Lead, permissions: ['lead.view'], module: 'crm' },
  deal: { table: 'deals', schema: Deal, permissions: ['deal.view'], module: 'crm' },
  opportunity: { table: 'opportunities', schema: Opportunity, permissions: ['opportunity.view'], module: 'sales' },
  meeting: { table: 'meetings', schema: Meeting, permissions: ['meeting.view'], module: 'sales' },
  quote: { table: 'quotes', schema: Quote, permissions: ['quote.view'], module: 'sales' },
  sales_order: { table: 'sales_orders', schema: SalesOrder, permissions: ['sales_order.view'], module: 'sales' },
  proposal: { table: 'proposals', schema: Proposal, permissions: ['proposal.view'], module: 'proposals' },
  pipeline: { table: 'pipelines', schema: Pipeline, permissions: ['pipeline.view'], module: 'crm' },
  lead_stage: { table: 'lead_stages', schema: LeadStage, permissions: ['stage.view'], module: 'crm' },
  deal_stage: { table: 'deal_stages', schema: DealStage, permissions: ['stage.view'], module: 'crm' },
  label: { table: 'labels', schema: Label, permissions: ['label.view'], module: 'crm' },
  source: { table: 'sources', schema: Source, permissions: ['source.view'], module: 'crm' },
  widget: { table: 'widgets', schema: Widget, permissions: ['widget.view'], module: 'crm' },
  task: { table: 'tasks', schema: Task, ...OF_RECORDS },
  call: { table: 'calls', schema: Call, ...OF_RECORDS },
  discussion: { table: 'discussions', schema: Discussion, ...OF_RECORDS },
  email: { table: 'emails', schema: EmailMessage, ...OF_RECORDS },
  file: { table: 'files', schema: File, ...OF_RECORDS },
});
