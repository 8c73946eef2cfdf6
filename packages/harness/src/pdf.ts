import { extractImages, extractText, getDocumentProxy } from 'unpdf';

/** The text of a PDF, page by page. @throws when it is none */
export async function pagesOf(pdf: Uint8Array): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)));
  return text;
}

/** How large the pictures on a page of a PDF are. */
export async function picturesOn(pdf: Uint8Array, page = 1): Promise<{ width: number; height: number }[]> {
  const pictures = await extractImages(await getDocumentProxy(new Uint8Array(pdf)), page);
  return pictures.map(({ width, height }) => ({ width, height }));
}
