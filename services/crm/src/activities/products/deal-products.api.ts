/** Products of deals, each at a fixed price. */
import { productOperations } from './product-operations.ts';
import { dealBoard } from '../../pipeline/board/deal-board.ts';

export const { assign, remove } = productOperations(dealBoard, {
  assign: 'POST /api/deal/assign-products/{deal_id}',
  remove: 'DELETE /api/deal/{deal_id}/products/{product_id}',
});
