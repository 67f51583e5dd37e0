// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// Stores the addresses of names (ENSIP-1), for each chain another one (ENSIP-9, ENSIP-11).
contract Resolver {
    mapping(bytes32 => address) private owners;
    mapping(bytes32 => mapping(uint256 => address)) private others;

    function setAddr(bytes32 node, address owner) external {
        owners[node] = owner;
    }

    function setAddrOn(bytes32 node, uint256 coin, address owner) external {
        others[node][coin] = owner;
    }

    function addr(bytes32 node) external view returns (address) {
        return owners[node];
    }

    function addr(bytes32 node, uint256 coin) external view returns (bytes memory) {
        address owner = others[node][coin];
        return owner == address(0) ? bytes("") : abi.encodePacked(owner);
    }
}

/// Stores the names that addresses say they have, on a chain beside Ethereum (ENSIP-19).
contract ReverseRegistrar {
    mapping(address => string) public nameForAddr;

    function setNameForAddr(address owner, string calldata name) external {
        nameForAddr[owner] = name;
    }
}

/// Knows names only outside of the chain (EIP-3668).
contract OffchainResolver {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    string private url;

    constructor(string memory url_) {
        url = url_;
    }

    function addr(bytes32 node) external view returns (address) {
        string[] memory urls = new string[](1);
        urls[0] = url;
        revert OffchainLookup(address(this), urls, abi.encode(node), this.addr.selector, "");
    }
}

/// Uses up all gas that it gets.
contract EndlessResolver {
    function addr(bytes32) external pure returns (address) {
        while (true) {}
        return address(0);
    }
}

/// The entry point of ENS (ENSIP-23) with a registry of its own.
contract UniversalResolver {
    error ResolverNotFound(bytes name);
    error ResolverError(bytes errorData);
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    mapping(bytes32 => address) private resolvers;

    function setResolver(bytes32 node, address resolver) external {
        resolvers[node] = resolver;
    }

    mapping(address => string) private names;

    function setName(address owner, string calldata name) external {
        names[owner] = name;
    }

    /// Returns the name that the address claims, without a check of where the name points to.
    function reverseWithGateways(
        bytes calldata owner,
        uint256,
        string[] calldata
    ) external view returns (string memory, address, address) {
        return (names[address(bytes20(owner))], address(0), address(0));
    }

    function resolveWithGateways(
        bytes calldata name,
        bytes calldata data,
        string[] calldata
    ) external view returns (bytes memory, address) {
        address resolver = resolvers[nodeOf(name, 0)];
        if (resolver == address(0)) revert ResolverNotFound(name);
        (bool ok, bytes memory result) = resolver.staticcall(data);
        if (ok) return (result, resolver);
        if (bytes4(result) != OffchainLookup.selector) revert ResolverError(result);
        assembly {
            revert(add(result, 32), mload(result))
        }
    }

    function nodeOf(bytes calldata name, uint256 from) private pure returns (bytes32) {
        uint256 length = uint8(name[from]);
        if (length == 0) return 0;
        uint256 to = from + 1 + length;
        return keccak256(abi.encodePacked(nodeOf(name, to), keccak256(name[from + 1:to])));
    }
}
