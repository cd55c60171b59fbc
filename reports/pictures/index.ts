/** Pictures of a report as inline SVG, drawn when the page is rendered: nothing is drawn in the browser. */
import type { Picture } from '../../schemas/facts.ts';
import type { Html } from '../html/html.ts';
import { renderArrivals } from './arrivals.ts';
import { renderBytes } from './bytes.ts';
import { renderInFlight } from './in-flight.ts';
import { renderQueue } from './queue.ts';
import { renderRetention } from './retention.ts';

export function renderPicture(picture: Picture): Html {
  switch (picture.kind) {
    case 'arrivals':
      return renderArrivals(picture);
    case 'in-flight':
      return renderInFlight(picture);
    case 'bytes':
      return renderBytes(picture);
    case 'queue':
      return renderQueue(picture);
    case 'retention':
      return renderRetention(picture);
  }
}
