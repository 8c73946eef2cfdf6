/** Files of deals, such as contracts. */
import { fileOperations } from './file-operations.ts';
import { dealBoard } from '../../pipeline/board/deal-board.ts';

export const { create, remove, download } = fileOperations(dealBoard, {
  create: 'POST /api/deal-file/store/{deal_id}',
  remove: 'DELETE /api/deal-file/{deal_id}/delete/{file_id}',
  download: 'GET /api/deal-file/download/{token}',
});
