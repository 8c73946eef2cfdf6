/**
 * Input without a meaningful result: negative, too precise for its currency, or a discount larger than the line.
 * @property field path in the input: `lines.0.discount.value`. A service returns 422 with it.
 */
export class AmountRefused extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.name = 'AmountRefused';
    this.field = field;
  }
}
