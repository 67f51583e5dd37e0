// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// A smart wallet whose owner signs for it.
contract OwnedWallet is IERC1271 {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address signer, , ) = ECDSA.tryRecoverCalldata(hash, signature);
        return signer == owner ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// A smart wallet that checks only the hashes that its owner has approved before.
contract ApprovingWallet is IERC1271 {
    mapping(bytes32 => bool) private approved;

    function approve(bytes32 hash) external {
        approved[hash] = true;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        require(signature.length <= 1, "too long");
        return approved[hash] ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// Sends back what it was sent, which begins with what stands for yes.
contract Echo {
    fallback(bytes calldata data) external returns (bytes memory) {
        return data;
    }
}

/// Puts wallets at addresses that are known before the wallets exist.
contract WalletFactory {
    function deploy(address owner, bytes32 salt) external returns (OwnedWallet) {
        return new OwnedWallet{salt: salt}(owner);
    }

    function addressOf(address owner, bytes32 salt) external view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(OwnedWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, code)))));
    }
}
