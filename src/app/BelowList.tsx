import { X } from 'lucide-react';
import { useEffect, useId, useMemo, useState } from 'react';
import { parseDecimal } from '#domain/core/decimal';
import { isRightToLeft, LANGUAGE_TAGS, type Language, languageOfTags } from '#domain/core/language';
import { formatUsd, UNKNOWN } from '../i18n/format';
import { language, type t, textsIn, useT } from '../i18n/i18n';
import { LANGUAGE_NAMES } from '../i18n/languageNames';
import { LiveFigures } from '../positions/LiveFigures';
import { useOpenDemo } from '../positions/openDemo';
import { balanceHidden, HIDDEN_AMOUNT, welcomeRead } from '../preferences/hidden';
import { chooseLanguage } from '../preferences/language';
import { languageIsSaved, saveLanguage } from '../preferences/savedLanguage';
import { Button, IconButton } from '../ui/Button';
import { ButtonLink } from '../ui/ButtonLink';
import { showToastHere } from '../ui/toastStore';
import { useValue } from '../useValue';
import { account, user } from '../worker/trading';
import { Banner } from './Banner';
import styles from './BelowList.module.css';

interface Offer {
  to: Language;
  say: typeof t;
}

/**
 * What stands below the list: for a visitor what this is, and that it speaks the browser's language,
 * both in that language; for a user the account.
 */
export default function BelowList() {
  const t = useT();
  const known = useValue(user);
  const read = useValue(welcomeRead);
  const [offer, setOffer] = useLanguageOffer();
  // The sentence does not change its language before one's eyes.
  if (offer === 'loading') return null;
  const spoken = offer && {
    lang: LANGUAGE_TAGS[offer.to],
    dir: isRightToLeft(offer.to) ? 'rtl' : 'ltr',
  };
  return (
    <>
      <div className={styles.visit} {...spoken}>
        {known === null && !read && <Welcome say={offer?.say ?? t} />}
        {offer && <LanguageOffer {...offer} onClose={() => setOffer(undefined)} />}
      </div>
      {known && <AccountLine />}
    </>
  );
}

/** The browser's language, for a visitor who has chosen none. */
function useLanguageOffer() {
  const [offer, setOffer] = useState<Offer | 'loading' | undefined>(() =>
    !languageIsSaved() && offered() ? 'loading' : undefined,
  );
  useEffect(() => {
    const to = offered();
    if (offer !== 'loading' || !to) return;
    // Without its strings there is nothing to offer.
    textsIn(to).then(
      (say) => setOffer({ to, say }),
      () => setOffer(undefined),
    );
  }, [offer]);
  return [offer, setOffer] as const;
}

function offered(): Language | undefined {
  const to = languageOfTags(navigator.languages);
  return to === language.peek() ? undefined : to;
}

/** The answer is the choice, so that the question is not asked again. */
function LanguageOffer({ to, say, onClose }: Offer & { onClose(): void }) {
  return (
    <div role="status">
      <Banner
        small
        text={say('language.offer')}
        action={LANGUAGE_NAMES[to]}
        onAction={() =>
          chooseLanguage(to).then(onClose, () => showToastHere(say('language.failed'), 'error'))
        }
      >
        <IconButton
          label={say('common.dismiss')}
          onClick={() => {
            saveLanguage(language.peek());
            onClose();
          }}
        >
          <X size={16} />
        </IconButton>
      </Banner>
    </div>
  );
}

/** What the account is worth and what its positions earn. */
function AccountLine() {
  const t = useT();
  const hide = useValue(balanceHidden);
  const formats = useMemo(() => {
    const amount = (sign: 'auto' | 'always') => (text: string | undefined) => {
      const value = parseDecimal(text);
      if (!value) return UNKNOWN;
      return hide ? HIDDEN_AMOUNT : formatUsd(value, sign);
    };
    return { equity: amount('auto'), profit: amount('always') };
  }, [hide]);
  return (
    <aside aria-label={t('account.center')}>
      <LiveFigures
        source={account}
        formats={formats}
        label={(name) => t(`account.${name}`)}
        className={styles.account}
      />
    </aside>
  );
}

/** What this is and for whom, and the two ways in. */
function Welcome({ say }: Pick<Offer, 'say'>) {
  const id = useId();
  const { opening, open } = useOpenDemo();
  return (
    <aside className={styles.welcome} aria-labelledby={id}>
      <p id={id} className={styles.text}>
        {say('account.welcome')}
      </p>
      <span className={styles.buttons}>
        <Button variant="primary" busy={opening} onClick={() => void open()}>
          {say('account.demo')}
        </Button>
        <ButtonLink to="/register" variant="plain">
          {say('account.toRegister')}
        </ButtonLink>
      </span>
      <IconButton
        label={say('common.dismiss')}
        className={styles.dismiss}
        onClick={() => {
          welcomeRead.value = true;
        }}
      >
        <X size={16} />
      </IconButton>
    </aside>
  );
}
