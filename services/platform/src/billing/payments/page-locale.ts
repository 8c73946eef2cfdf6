/** Languages of Stripe's checkout page. */
import type Stripe from 'stripe';

type Locale = Stripe.Checkout.SessionCreateParams.Locale;

const LOCALES: readonly Locale[] = [
  ...(['bg', 'cs', 'da', 'de', 'el', 'en', 'en-GB', 'es', 'es-419', 'et', 'fi', 'fil', 'fr', 'fr-CA', 'hr'] as const),
  ...(['hu', 'id', 'it', 'ja', 'ko', 'lt', 'lv', 'ms', 'mt', 'nb', 'nl', 'pl', 'pt', 'pt-BR', 'ro', 'ru'] as const),
  ...(['sk', 'sl', 'sv', 'th', 'tr', 'vi', 'zh', 'zh-HK', 'zh-TW'] as const),
];

/**
 * Returns the language nearest to the requested one, or the language of the customer's browser if Stripe does not
 * support it. `de-AT` is shown as `de`.
 */
export const pageLocale = (requested: string): Locale =>
  LOCALES.find((known) => known === requested) ?? LOCALES.find((known) => known === requested.split('-')[0]) ?? 'auto';
