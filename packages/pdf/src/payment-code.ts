import { correction, generate } from 'lean-qr';
import { toSvgSource } from 'lean-qr/extras/svg';
import type { PdfDocument } from './pdf-document.ts';

/** Returns the QR code of a payment as SVG. EPC069-12 requires error correction M and at most version 13. */
export function codeOf({ payment }: Pick<PdfDocument, 'payment'>): string | null {
  if (!payment?.code) return null;
  const code = generate(payment.code, { minCorrectionLevel: correction.M, maxVersion: 13 });
  // The quiet zone is the white space around the code on the page.
  return toSvgSource(code, { padX: 1, padY: 1 });
}
