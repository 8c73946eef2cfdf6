/** Activities of a deal: tasks, calls, notes, e-mails, files, stage history and timeline. */
import { pageOperations } from './page-operations.ts';
import { dealBoard } from '../../pipeline/board/deal-board.ts';

const routes = {
  tasks: 'GET /api/deal-tasks/{deal_id}',
  calls: 'GET /api/deal-calls/{deal_id}',
  discussions: 'GET /api/deal-discussions/{deal_id}',
  emails: 'GET /api/deal-emails/{deal_id}',
  files: 'GET /api/deal-files/{deal_id}',
  stage_history: 'GET /api/deal-stage-history/{deal_id}',
  timeline: 'GET /api/deal-timeline/{deal_id}',
} as const;

export const { tasks, calls, discussions, emails, files, stageHistory, timeline } = pageOperations(dealBoard, routes);
