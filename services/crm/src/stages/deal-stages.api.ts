/** Deal stages: the steps of a deal, with the chance that a deal in them is won. Their type makes deals won or lost. */
import { dealBoard } from '../board/deal-board.ts';
import { stageOperations } from './stage-operations.ts';

export const { list, create, update, remove } = stageOperations(dealBoard, {
  list: 'GET /api/deal-stages',
  create: 'POST /api/deal-stage/create',
  update: 'POST /api/deal-stage/update/{id}',
  remove: 'DELETE /api/deal-stage/delete/{id}',
});
