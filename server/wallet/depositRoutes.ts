import type { FastifyInstance } from 'fastify';
import * as api from '#domain/api/wallet';
import { toText } from '#domain/core/decimal';
import type { UnitOfWork } from '../db/transactions';
import { Confirmed } from '../http/envelope';
import { route } from '../http/route';
import type { IdempotentRequests } from '../idempotency/idempotentRequests';
import { changingRoute } from '../idempotency/route';
import type { WalletCatalogue } from './catalogue';
import type { Declaration, Deposits } from './deposits';

export interface DepositRouteParts {
  requests: IdempotentRequests;
  deposits: Deposits;
  catalogue: WalletCatalogue;
}

/** The deposit calls (protocol.md#deposits); for real users. */
export function depositRoutes(app: FastifyInstance, parts: DepositRouteParts): void {
  const { requests, deposits, catalogue } = parts;

  route(app, api.coinNetworks, {
    handler: () =>
      catalogue.networks.map(({ id, currency, protocol, address, usdPrice }) => ({
        id,
        currency_code: currency,
        protocol_code: protocol,
        address,
        usd_price: toText(usdPrice),
      })),
  });

  route(app, api.bankCurrencies, {
    handler: () =>
      catalogue.bankCurrencies.map(({ id, name, usdPrice }) => ({
        id,
        name,
        usd_price: toText(usdPrice),
      })),
  });

  route(app, api.bankAccounts, {
    handler: ({ params }) =>
      catalogue.bankAccounts
        .filter(({ currencyId }) => params.bank_coin === 0 || currencyId === params.bank_coin)
        .map((account) => ({
          id: account.id,
          bank_name: account.bankName,
          bank_address: account.bankAddress,
          bank_swift: account.bankSwift,
          payee_name: account.payeeName,
          payee_account: account.payeeAccount,
          bank_remark: account.remark,
        })),
  });

  const submit = async (work: UnitOfWork, userId: number, declared: Declaration) => {
    const data = { id: await deposits.submit(work, userId, declared) };
    return new Confirmed(data, 'server.depositSubmitted');
  };

  changingRoute(app, requests, api.submitCoinDeposit, {
    handler: ({ params, caller }, work) =>
      submit(work, caller.userId, {
        kind: 'coin',
        channelId: params.charge_id,
        number: params.number,
        proof: params.proofImg,
        address: params.address,
      }),
  });

  changingRoute(app, requests, api.submitBankDeposit, {
    handler: ({ params, caller }, work) =>
      submit(work, caller.userId, {
        kind: 'bank',
        channelId: params.wire_id,
        number: params.number,
        proof: params.proofImg,
        address: '',
      }),
  });

  route(app, api.depositList, {
    handler: ({ params, caller }) => deposits.page(caller.userId, params.type, params.page),
  });
}
