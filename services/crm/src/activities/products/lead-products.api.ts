/** Products that interest a lead, each at a fixed price. */
import { productOperations } from './product-operations.ts';
import { leadBoard } from '../../pipeline/board/lead-board.ts';

export const { assign, remove } = productOperations(leadBoard, {
  assign: 'POST /api/lead/assign-products/{lead_id}',
  remove: 'DELETE /api/lead/{lead_id}/products/{product_id}',
});
