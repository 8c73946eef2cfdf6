/**
 * An input that no figure can be computed from, or none that anybody would owe: negative, too precise for its currency,
 * a discount larger than the line.
 * @property field where it stands in what was passed: `lines.0.discount.value`. A service answers 422 with it.
 */
export class AmountRefused extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.name = 'AmountRefused';
    this.field = field;
  }
}
