import { useContext } from 'react';
import { type NavigateOptions, useLocation, useNavigate } from 'react-router-dom';
import { isCurrent } from './currentLocation';
import { Embedded } from './embedded';
import { useGoBack } from './ScreenHeader';

/** As `useNavigate`, for what follows from an answer or an effect: does nothing where the user has gone elsewhere meanwhile. */
export function useNavigateHere(): (to: string, options?: NavigateOptions) => void {
  const navigate = useNavigate();
  const isHere = useIsHere();
  return (to, options) => {
    if (isHere()) void navigate(to, options);
  };
}

/** As `useGoBack`, for what follows from an answer. */
export function useGoBackHere(): () => void {
  const goBack = useGoBack();
  const isHere = useIsHere();
  return () => {
    if (isHere()) goBack();
  };
}

function useIsHere(): () => boolean {
  const panel = useContext(Embedded);
  const rendered = useLocation();
  return () => Boolean(panel) || isCurrent(rendered);
}
