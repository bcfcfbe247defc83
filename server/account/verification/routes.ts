import type { FastifyInstance } from 'fastify';
import { realNameProblems } from '#domain/account/rules';
import type { VerificationRow } from '#domain/api/account';
import * as api from '#domain/api/account';
import { Refusal } from '../../http/refusal';
import { route } from '../../http/route';
import type { IdempotentRequests } from '../../idempotency/idempotentRequests';
import { changingRoute } from '../../idempotency/route';
import type { Pictures } from '../../uploads/pictures';
import { originOf } from '../../uploads/routes';
import type { VerificationRecord, Verifications } from './verifications';

/** review_status of a verification; a rejection returns to 0 (domain.md#verification). */
const STATUS: Readonly<Record<VerificationRecord['status'], number>> = {
  rejected: 0,
  reviewing: 1,
  verified: 2,
};

const NOTHING: VerificationRow = {
  review_status: 0,
  name: '',
  card_id: '',
  front_pic: '',
  reverse_pic: '',
  reason: '',
};

export function verificationRoutes(
  app: FastifyInstance,
  {
    requests,
    verifications,
    pictures,
  }: { requests: IdempotentRequests; verifications: Verifications; pictures: Pictures },
): void {
  changingRoute(app, requests, api.submitVerification, {
    async handler({ params, caller }, work) {
      const [problem] = realNameProblems({
        name: params.name,
        cardId: params.card_id,
        fronts: addressesIn(params.front_pic),
        reverses: addressesIn(params.reverse_pic),
      });
      if (problem) throw Refusal.ofRule(problem.message);
      await verifications.submit(work, caller.userId, params);
      return null;
    },
  });

  route(app, api.verificationCenter, {
    async handler({ caller, request }) {
      const latest = await verifications.latest(caller.userId);
      if (!latest) return NOTHING;
      const origin = originOf(request);
      // A rejected one is returned too, with its reason.
      return {
        review_status: STATUS[latest.status],
        name: latest.name,
        card_id: latest.cardId,
        front_pic: pictures.sign(latest.frontPicture, origin),
        reverse_pic: pictures.sign(latest.reversePicture, origin),
        reason: latest.reason,
      };
    },
  });
}

/** Splits the addresses of pictures at commas. An empty text means no picture. */
function addressesIn(pictures: string): string[] {
  return pictures.split(',').filter((picture) => picture !== '');
}
