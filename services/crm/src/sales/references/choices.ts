/** Choices of sales forms that another service returns. */
import { type Page, pageFrom } from '@suite/chassis/lists';

/** Maximum number of choices of one kind. */
export const CHOICES_MAX = 500;

/** Returns a page of the choices. Their number is exact unless the other service returned the maximum. */
export const choicePage = (choices: object[], { page, limit }: { page: number; limit: number }): Page =>
  pageFrom(choices, { page, per_page: limit }, choices.length < CHOICES_MAX);
